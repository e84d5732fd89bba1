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
  /** Whether it had said that it would stop: then the call is not what ended it. */
  readonly wasStopping: boolean;
  constructor(message: string, options: ErrorOptions & { readonly wasStopping?: boolean } = {}) {
    super(message, options);
    this.wasStopping = options.wasStopping ?? false;
  }
}

/** A render node was stopped while it sent a picture: the same call may succeed at another one. */
export class NodeStopped extends Overloaded {
  constructor(message: string, options: ErrorOptions) {
    super(0);
    this.message = message;
    this.cause = options.cause;
  }
}

/** There is no node that takes calls. */
export class NoRenderNode extends Overloaded {
  constructor(version: string, outstanding: number, options: ErrorOptions) {
    super(outstanding);
    this.message = `no node with the role render and the engine ${version} takes calls now`;
    this.cause = options.cause;
  }
}
