import {
  ACCOUNT_PAGES_SCRIPT,
  ACCOUNT_PAGES_STYLE,
  resetPasswordPage,
  verifyEmailPage,
} from "../account-pages.ts";
import { pageFile } from "../page-file.ts";

/** Pages that links in mail point to. */
export const accountPageRoutes = [
  pageFile("Users", "/verify-email", "text/html", verifyEmailPage),
  pageFile("Users", "/reset-password", "text/html", resetPasswordPage),
  pageFile("Users", "/account-pages.js", "text/javascript", () => ACCOUNT_PAGES_SCRIPT),
  pageFile("Users", "/account-pages.css", "text/css", () => ACCOUNT_PAGES_STYLE),
];
