/** The bench measures with the memory settings that users have. */
import { readFile } from "node:fs/promises";
import t from "tap";
import { MEMORY_VARIABLES, peerEnvironment } from "../../bench/harness/started-server.ts";

const { scripts } = JSON.parse(await readFile("package.json", "utf8"));

/** The settings before the program of a script. */
function settingsOf(script: string): Record<string, string> {
  const [before = ""] = script.split(" node ");
  const settings = before.matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g);
  return Object.fromEntries(
    Array.from(settings, ([, name, quoted, plain]) => [
      name,
      (quoted ?? plain ?? "").replace(" $NODE_OPTIONS", ""),
    ]),
  );
}

t.test("the settings of the bench and of its servers are those of npm start", async (t) => {
  const { NODE_COMPILE_CACHE, ...settings } = settingsOf(scripts.start);
  t.ok(NODE_COMPILE_CACHE);
  t.same(settings, MEMORY_VARIABLES);
  t.same(settingsOf(scripts.bench), MEMORY_VARIABLES);
});

t.test("peers in processes of their own have none of them", async (t) => {
  t.same(
    Object.keys(MEMORY_VARIABLES).filter((name) => peerEnvironment()[name] !== undefined),
    [],
  );
  t.equal(peerEnvironment().PATH, process.env.PATH);
});
