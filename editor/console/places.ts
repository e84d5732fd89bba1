/** Addresses of pages. */
import { SERVICE } from "../shared/api.ts";

/** Returns the address of a page, such as `sign-in`, or of the first one. */
export const href = (page = ""): string => new URL(page, SERVICE).href;

/** The page that is shown: its path within the service, without a slash at its ends. */
export const here: string = location.href
  .slice(SERVICE.href.length)
  .replace(/[?#].*$/, "")
  .replace(/\/$/, "");

/** Facts that the server put into the page. */
const { signIn, signUp, mail } = document.body.dataset;
/** Whether users sign in with this service, and not with another issuer of tokens. */
export const hasSignIn = signIn === "here";
/** Whether this visitor may create an account. */
export const hasSignUp = signUp === "open";
/** Whether the service sends mail: to verify addresses and to reset passwords. */
export const hasMail = mail === "sent";
