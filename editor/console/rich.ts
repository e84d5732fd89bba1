import { type ComponentChildren, createElement, Fragment } from "preact";
import type { MessageKey } from "../shared/languages.ts";
import { formatNumber, templateOf } from "../shared/messages.ts";

/** Returns a message that has elements among its values. `count` selects the plural. */
export function rich(key: MessageKey, values: Readonly<Record<string, ComponentChildren>>) {
  // Every second part is the name of a value.
  const parts = templateOf(key, Number(values.count)).split(/\{(\w+)\}/);
  const children = parts.map((part, at) => {
    const child = at % 2 === 0 ? part : values[part];
    return typeof child === "number" ? formatNumber(child) : child;
  });
  return createElement(Fragment, null, ...children);
}
