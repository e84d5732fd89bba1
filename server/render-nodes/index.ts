/** Renders on other nodes: the engine that sends them there, and the port that takes them. */
export { createCallServer } from "./call-server.ts";
export { joinRenderNodes, renderSecret, urlForOthers } from "./membership.ts";
export { type NodeList, watchRenderNodes } from "./node-list.ts";
export { createRemoteEngine } from "./remote-engine.ts";
