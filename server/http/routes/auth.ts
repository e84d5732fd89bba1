import { LogIn, logIn } from "../../actions/log-in.ts";
import { Session, showSession } from "../../actions/resources/session.ts";
import { SignUp, signUp } from "../../actions/sign-up.ts";
import { route } from "../route.ts";

const shared = { method: "POST", tag: "People", auth: "none", cost: 0 } as const;

const HOUR = 60 * 60;

/** How people come in. */
export const authRoutes = [
  route({
    ...shared,
    path: "/api/v1/auth/signup",
    summary: "Make an account",
    description: "It is a trial account of 100 credits. The token works for 12 hours.",
    addressLimit: { policy: "signup", quota: 20, windowSeconds: HOUR },
    body: SignUp,
    responses: { 201: { description: "You are in.", schema: Session } },
    problems: ["conflict", "not_found"],
    async handler({ services, body }) {
      return { status: 201, json: showSession(await signUp(services, body)) };
    },
  }),
  route({
    ...shared,
    path: "/api/v1/auth/login",
    summary: "Get a token for your account",
    description: "The token works for 12 hours.",
    addressLimit: { policy: "login", quota: 60, windowSeconds: HOUR / 4 },
    body: LogIn,
    responses: { 200: { description: "You are in.", schema: Session } },
    problems: ["unauthorized", "not_found"],
    async handler({ services, body }) {
      return { status: 200, json: showSession(await logIn(services, body)) };
    },
  }),
];
