import Type from "typebox";
import { editorBundle } from "../../../editor/bundle.ts";
import packageFile from "../../../package.json" with { type: "json" };
import { Id, strict } from "../../actions/fields.ts";
import type { Services } from "../../actions/services.ts";
import { maySignUp } from "../../actions/sessions.ts";
import { basePathOf } from "../base-path.ts";
import { bundlePage, PAGE_HEADERS } from "../bundle-page.ts";
import { editorPolicy } from "../editor-page.ts";
import { type RouteResponse, route } from "../route.ts";

/** Pages by their paths, with their titles. */
const PAGES = {
  "/sign-in": "Sign in",
  "/sign-up": "Create an account",
  "/forgot-password": "Forgot your password?",
  // Links in mail lead to these three.
  "/reset-password": "Set a new password",
  "/verify-email": "Verify your e-mail address",
  "/confirm-email": "Confirm your new e-mail address",
  "/console": "Your account",
  "/console/patterns": "Patterns",
  "/console/usage": "Usage",
  "/console/api-keys": "API keys",
  "/console/integrations": "Integrations",
  "/console/account": "Account",
  "/console/accounts": "All accounts",
  "/console/accounts/{id}": "An account",
};

const page = {
  method: "GET",
  tag: "Users",
  hidden: true,
  auth: "none",
  responses: { 200: { description: "The page.", mediaTypes: ["text/html"] } },
  cost: 0,
} as const;

/** Sign-in and console pages, rendered by the bundle's script. */
export const consoleRoutes = [
  route({
    ...page,
    path: "/",
    operationId: "getStart",
    summary: "The first page, or for programs the addresses of the service",
    async handler({ services, isLocal, header }) {
      const accepted = header("accept");
      const isProgram = /[/+]json\b/.test(accepted) && !accepted.includes("text/html");
      const response = isProgram
        ? { status: 200, json: addressesOf(services) }
        : await pageResponse(services, isLocal, "orbifold");
      return { ...response, headers: { ...response.headers, Vary: "Accept" } };
    },
  }),
  ...Object.entries(PAGES).map(([path, title]) =>
    route({
      ...page,
      path,
      operationId: path,
      summary: title,
      ...(path.includes("{id}") && { params: Type.Object({ id: Id }, strict) }),
      handler: ({ services, isLocal }) => pageResponse(services, isLocal, `${title} · orbifold`),
    }),
  ),
];

/** Returns the page for an address that has none. */
export async function missingPage(services: Services, isLocal: boolean): Promise<RouteResponse> {
  const page = await pageResponse(services, isLocal, "Page not found · orbifold");
  return { ...page, status: 404, headers: { ...page.headers, Vary: "Accept" } };
}

async function pageResponse(
  services: Services,
  isLocal: boolean,
  title: string,
): Promise<RouteResponse> {
  const html = bundlePage({
    basePath: basePathOf(services.publicUrl),
    title,
    files: (await editorBundle()).console,
    facts: {
      "sign-in": services.tokens.isIssuer ? "here" : "elsewhere",
      "sign-up": maySignUp(services, isLocal) ? "open" : "closed",
      mail: services.mailer === null ? "none" : "sent",
    },
  });
  return {
    status: 200,
    headers: {
      ...PAGE_HEADERS,
      "Content-Security-Policy": editorPolicy(null),
      "Content-Type": "text/html; charset=utf-8",
    },
    bytes: Buffer.from(html),
  };
}

const addressesOf = ({ publicUrl, editorUrl }: Services) => ({
  name: packageFile.name,
  description: packageFile.description,
  api: `${publicUrl}/api/v1`,
  openapi: `${publicUrl}/api/v1/openapi.json`,
  mcp: `${publicUrl}/api/v1/mcp`,
  docs: `${publicUrl}/docs`,
  editor: editorUrl,
});
