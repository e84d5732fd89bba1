/** The process of a peer, with stand-ins for the packages that the machine may lack. */
import { readdir } from "node:fs/promises";
import t, { type Test } from "tap";
import { findCommand } from "../../bench/peers/command-peer.ts";
import { openDesignPeer } from "../../bench/peers/design-peer.ts";

const STAND_INS = {
  "cv2.py": "__version__ = '0'\nIMREAD_COLOR = 1\ndef imread(*_): pass\n",
  "numpy.py": "__version__ = '0'\n",
};

/** Number of pipes to child processes: open ones keep this process alive. */
const pipes = () => process.getActiveResourcesInfo().filter((one) => one === "PipeWrap").length;

/** Sets an environment variable until the test ends. */
function setVariable(t: Test, name: string, value: string): void {
  const before = process.env[name];
  process.env[name] = value;
  t.teardown(() => {
    if (before === undefined) delete process.env[name];
    else process.env[name] = before;
  });
}

const skip = findCommand(["python3"], /^Python (\S+)/) === null && "no Python here";

t.test("a peer that cannot be prepared leaves no process or file behind", { skip }, async (t) => {
  const folder = t.testdir({ packages: STAND_INS, temporary: {} });
  setVariable(t, "PYTHONPATH", `${folder}/packages`);
  setVariable(t, "TMPDIR", `${folder}/temporary`);
  const before = pipes();
  const pixels = { width: 8, height: 8 };
  const tooLarge = 2 ** 26;
  await t.rejects(openDesignPeer(["p1"], tooLarge, "photograph.png", pixels), {
    name: "RangeError",
  });
  for (let turn = 0; turn < 1000 && pipes() > before; turn++) await new Promise(setImmediate);
  t.equal(pipes(), before);
  t.same(await readdir(`${folder}/temporary`), []);
});
