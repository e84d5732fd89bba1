import t from "tap";
import { copyShared, createSharedFiles, viewOf } from "../../engine/pool/shared-files.ts";

const bytesOf = (length: number, first: number) =>
  Uint8Array.from({ length }, (_, k) => (first + k) % 251);

t.test("a file is the pieces in order, in memory of its own", async (t) => {
  const share = createSharedFiles();
  const file = share([bytesOf(1000, 0), bytesOf(0, 0), bytesOf(500, 7)]);
  if (file === null) return t.fail("there was room");
  const expected = Buffer.concat([bytesOf(1000, 0), bytesOf(500, 7)]);
  t.ok(expected.equals(viewOf(file)));
  const copy = copyShared(file);
  t.ok(expected.equals(copy));
  t.not(copy.buffer, file.memory);
  t.equal(copy.byteLength, copy.buffer.byteLength);
});

t.test("memory is used again once its file is copied, not before", async (t) => {
  const share = createSharedFiles();
  const first = share([bytesOf(3000, 1)]);
  if (first === null) return t.fail("there was room");
  t.equal(share([bytesOf(10, 2)]), null);
  t.ok(Buffer.from(bytesOf(3000, 1)).equals(viewOf(first)));
  copyShared(first);
  const second = share([bytesOf(20, 3)]);
  t.equal(second?.memory, first.memory);
  t.ok(second && Buffer.from(bytesOf(20, 3)).equals(copyShared(second)));
});

t.test("large files have no room", async (t) => {
  const share = createSharedFiles();
  t.equal(share([new Uint8Array(3 << 20), new Uint8Array(1 << 20)]), null);
  t.ok(share([new Uint8Array(3 << 20), new Uint8Array((1 << 20) - 4)]));
});
