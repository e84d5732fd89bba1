/** A user who has a keyboard and nothing else: the focus is always there and in sight. */
import type { FileChooser, Frame, Locator, Page } from "playwright-core";

export interface Keyboard {
  /** Presses a key, and fails the test if the focus is lost or out of sight before or after it. */
  press(key: string): Promise<void>;
  /** Presses Tab until an element has the focus, and fails the test where it never does. */
  tabTo(element: Locator): Promise<void>;
  /** Goes to an element and presses Enter. */
  activate(element: Locator): Promise<void>;
  /** Goes to a field and types into it. */
  fill(element: Locator, text: string): Promise<void>;
  /** Goes to a file input and chooses a file in the browser's dialog. */
  chooseFile(element: Locator, file: Parameters<FileChooser["setFiles"]>[0]): Promise<void>;
}

/** Stops that a page may have before the wanted one. */
const STOPS = 150;

export function keyboardOf(page: Page): Keyboard {
  /** The document that had the focus last. */
  let known = "";
  let lastKey = "";
  const check = async () => {
    let { document, problem } = await focusOf(page);
    // After the last element the focus goes to the browser, and begins anew.
    if (problem === LOST && lastKey.endsWith("Tab")) return;
    // While a dialog closes, the focus is on its way back.
    for (let wait = 0; problem === LOST && document === known && wait < 10; wait++) {
      await page.waitForTimeout(50);
      ({ document, problem } = await focusOf(page));
    }
    // A new page begins without a focus.
    if (problem === LOST && document !== known) return;
    if (problem !== null) throw new Error(`after ${lastKey}: ${problem}`);
    known = document;
  };
  const press = async (key: string) => {
    await check();
    await page.keyboard.press(key);
    lastKey = key;
    // Many Tabs lead to an element: each is looked at before the next one, and the last in `tabTo`.
    if (!key.endsWith("Tab")) await check();
  };
  const tabTo = async (element: Locator) => {
    await element.waitFor();
    for (let stop = 0; stop < STOPS; stop++) {
      await press("Tab");
      if (await element.evaluate((found) => found === found.ownerDocument.activeElement)) {
        return check();
      }
    }
    throw new Error(`the focus never comes to ${element}`);
  };
  return {
    press,
    tabTo,
    async activate(element) {
      await tabTo(element);
      await press("Enter");
    },
    async fill(element, text) {
      await tabTo(element);
      await page.keyboard.type(text);
    },
    async chooseFile(element, file) {
      // Before the key: the browser has to be told that a test answers its dialog.
      const chooser = page.waitForEvent("filechooser");
      await tabTo(element);
      await page.keyboard.press("Enter");
      await (await chooser).setFiles(file);
    },
  };
}

const LOST = "the focus is lost";

/** Returns the document that has the focus, in frames too, and what is wrong with the focus. */
async function focusOf(page: Page): Promise<ReturnType<typeof stateOfFocus>> {
  try {
    let frame: Frame = page.mainFrame();
    for (;;) {
      const active = await frame.evaluateHandle(() => document.activeElement);
      const inner = await active.asElement()?.contentFrame();
      if (!inner) return await frame.evaluate(stateOfFocus, LOST);
      frame = inner;
    }
  } catch (error) {
    if (!/context was destroyed|detached|not attached/.test(String(error))) throw error;
    // A key has led to another page.
    await page.waitForLoadState();
    return focusOf(page);
  }
}

/** Runs in the page. */
function stateOfFocus(lost: string) {
  const document = `${location.pathname} ${performance.timeOrigin}`;
  const { activeElement: element, body, documentElement } = globalThis.document;
  if (element === null || element === body || element === documentElement) {
    return { document, problem: lost };
  }
  // Its page is not there yet.
  if (element instanceof HTMLIFrameElement) return { document, problem: null };
  // What stands for a hidden control shows its focus.
  const shown = element.closest("label.choice") ?? element;
  const { outlineStyle, outlineWidth } = getComputedStyle(shown);
  const name = element.outerHTML.slice(0, 120);
  if (outlineStyle === "none" || Number.parseFloat(outlineWidth) === 0) {
    return { document, problem: `the focus is not drawn at ${name}` };
  }
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const isSeen = [0.1, 0.5, 0.9].some((part) => {
    const hit = globalThis.document.elementFromPoint(
      left + (right - left) * part,
      top + (bottom - top) * part,
    );
    return hit !== null && (shown.contains(hit) || hit.contains(shown));
  });
  return { document, problem: isSeen ? null : `the focus is out of sight at ${name}` };
}
