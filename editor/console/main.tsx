/** The pages of the service for people, each at its own address. */
import { effect } from "@preact/signals";
import { type ComponentType, render } from "preact";
import "./console.css";
import english from "../messages/console/en.json" with { type: "json" };
import { startLanguage } from "../shared/choose-language.ts";
import { t } from "../shared/messages.ts";
import { AccountPage } from "./account-page.tsx";
import { AccountsPage } from "./accounts-page.tsx";
import { AnyAccountPage } from "./any-account-page.tsx";
import { ApiKeysPage } from "./api-keys-page.tsx";
import { IntegrationsPage } from "./integrations-page.tsx";
import { Landing } from "./landing.tsx";
import { ConfirmEmail, ForgotPassword, ResetPassword, VerifyEmail } from "./mail-links.tsx";
import { PatternsPage } from "./patterns-page.tsx";
import { here, href } from "./places.ts";
import { rich } from "./rich.ts";
import { session } from "./session.ts";
import { Shell } from "./shell.tsx";
import { SignIn, SignUp } from "./sign-up.tsx";
import { TITLES } from "./titles.ts";
import { UsagePage } from "./usage-page.tsx";

/** By their paths. */
const FOR_ANYONE: Readonly<Record<string, ComponentType>> = {
  "": Landing,
  "sign-in": SignIn,
  "sign-up": SignUp,
  "forgot-password": ForgotPassword,
  "reset-password": ResetPassword,
  "verify-email": VerifyEmail,
};

/** The API refuses others than operators, whatever the page shows. */
const forOperators = (Content: ComponentType) => () =>
  session.value?.role === "operator" ? <Content /> : <OperatorsOnly />;

const FOR_OPERATORS: Readonly<Record<string, ComponentType>> = {
  "console/accounts": forOperators(AccountsPage),
  "console/accounts/{id}": forOperators(AnyAccountPage),
};

const FOR_OWNERS: Readonly<Record<string, ComponentType>> = {
  console: PatternsPage,
  "console/patterns": PatternsPage,
  "console/usage": UsagePage,
  "console/api-keys": ApiKeysPage,
  "console/integrations": IntegrationsPage,
  "console/account": AccountPage,
  "confirm-email": ConfirmEmail,
  ...FOR_OPERATORS,
};

const OperatorsOnly = () => (
  <main class="page">
    <h1>{t("accounts.title")}</h1>
    <p>{t("accounts.operatorsOnly")}</p>
  </main>
);

const path = here.replace(/\/\d+$/, "/{id}");

const NotFound = () => (
  <main class="page">
    <h1>{t("missing.title")}</h1>
    <p>{rich("missing.text", { link: <a href={href()}>{t("missing.start")}</a> })}</p>
  </main>
);

function Page() {
  const forOwners = FOR_OWNERS[path];
  const Content =
    FOR_ANYONE[path] ?? (forOwners && (session.value ? forOwners : SignIn)) ?? NotFound;
  return (
    <Shell>
      <Content />
    </Shell>
  );
}

await startLanguage({ ...english, folder: "console" });
/** Null for the first page, which has the name of the service. */
const title = path === "" ? null : (TITLES[path] ?? "missing.title");
effect(() => {
  if (title !== null) document.title = `${t(title)} · orbifold`;
});
render(<Page />, document.body);
