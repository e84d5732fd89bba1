/** Errors between nodes. */
import { Overloaded } from "../../engine/index.ts";

/** A render node did not take a call: it was not begun there. */
export class NodeUnreachable extends Error {
  override readonly name = "NodeUnreachable";
}

/** A render node refused a call for what it is: others would as well. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
}

/** A render node was lost after it took a call. */
export class NodeLost extends Error {
  override readonly name = "NodeLost";
}

/** There is no node that takes calls. */
export class NoRenderNode extends Overloaded {
  constructor(version: string, outstanding: number, options: ErrorOptions) {
    super(outstanding);
    this.message = `no node with the role render and the engine ${version} takes calls now`;
    this.cause = options.cause;
  }
}
