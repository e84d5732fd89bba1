/** Objects in a bucket of any S3 server. Loads the SDK, so it is imported only where one is configured. */
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  ListObjectsCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { type ObjectStore, ObjectStoreUnavailable } from "../../db/index.ts";
import type { ObjectStoreLocation } from "./location.ts";

type ByteRange = NonNullable<Parameters<ObjectStore["get"]>[1]>;

/** Attempts of each request, with growing pauses. */
const ATTEMPTS = 3;

const CONNECTION_TIMEOUT_MS = 3000;

/** Time limit of a request until its answer: a part of an upload is sent in that time. */
const REQUEST_TIMEOUT_MS = 60_000;

/** Time limit of a connection on which nothing moves. */
const IDLE_TIMEOUT_MS = 20_000;

/** Time limit of reading an object or a range with all attempts: a source, or a piece of a file. */
const READ_TIMEOUT_MS = 60_000;

const PING_TIMEOUT_MS = 2000;

/** Time limit of deleting the parts of an upload that ended early. */
const CLEANUP_TIMEOUT_MS = 10_000;

/** Memory of an upload is `PARTS_AT_ONCE` parts. S3 allows 10,000 parts: files of 80 GB. */
const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 3;

/** Seconds for which a presigned URL works. */
const PRESIGNED_SECONDS = 300;

function createClient(location: ObjectStoreLocation, endpoint: string): S3Client {
  const { region, credentials } = location;
  return new S3Client({
    endpoint,
    region,
    ...(credentials && { credentials }),
    // Servers other than Amazon's have no name for each bucket,
    forcePathStyle: true,
    // nor all of its checksums. Bytes are compared with their SHA-256 when they are read.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
    },
  });
}

const BUGS = [TypeError, ReferenceError, RangeError];

/** Whether this is a mistake of this program, not an answer that the SDK cannot read. */
const isBug = (error: unknown) =>
  BUGS.some((kind) => error instanceof kind && !("$metadata" in error));

/** Whether the store answered that it will not do this; another attempt may help after a 5xx or 429. */
function isRefusal(error: unknown): boolean {
  const { httpStatusCode = 0 } = (error instanceof S3ServiceException && error.$metadata) || {};
  return httpStatusCode >= 400 && httpStatusCode < 500 && httpStatusCode !== 429;
}

/**
 * Resolves with the result of a request. Throws `ObjectStoreUnavailable` with the cause, or the reason
 * of `signal`.
 */
async function request<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (isBug(error)) throw error;
    const what = isRefusal(error) ? "refuses the request" : "does not answer";
    throw new ObjectStoreUnavailable(`the object store ${what}`, { cause: error });
  }
}

/** Collects a body of a known length in shared memory. */
async function collect(body: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(new SharedArrayBuffer(length));
  let filled = 0;
  for await (const chunk of body) {
    if (filled + chunk.byteLength > length)
      throw new Error(`the body is longer than ${length} bytes`);
    bytes.set(chunk, filled);
    filled += chunk.byteLength;
  }
  if (filled < length) throw new Error(`the body ended after ${filled} of ${length} bytes`);
  return bytes;
}

/** Whether the server has sent no more than a range: some ignore it and send the whole object. */
const isPart = (
  { ContentLength = 0, $metadata }: GetObjectCommandOutput,
  { start, end }: ByteRange,
) => $metadata.httpStatusCode === 206 && ContentLength <= end - start + 1;

/** Whether an object ends before the range: it was cut off. */
const isBeyondEnd = (error: unknown) =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 416;

/** The client for one upload: its requests end with `signal`, that which deletes its parts with `cleanup`. */
function uploadClient(client: S3Client, signal: AbortSignal, cleanup: () => AbortSignal): S3Client {
  const send = (command: Parameters<S3Client["send"]>[0]) => {
    const abortSignal = command instanceof AbortMultipartUploadCommand ? cleanup() : signal;
    return client.send(command, { abortSignal });
  };
  return Object.create(client, { send: { value: send } });
}

/** Opens a bucket. Nothing is sent until the first call. Disposing it ends the requests in progress. */
export function openObjectStore(location: ObjectStoreLocation): ObjectStore & Disposable {
  const { bucket: Bucket, prefix, endpoint, publicEndpoint } = location;
  const client = createClient(location, endpoint);
  const publicClient =
    publicEndpoint === endpoint ? client : createClient(location, publicEndpoint);
  const named = (key: string) => ({ Bucket, Key: prefix + key });
  const disposed = new AbortController();
  /** A signal that aborts with one of these, or when the store is disposed: the SDK would try again. */
  const until = (...signals: readonly (AbortSignal | undefined)[]) =>
    AbortSignal.any([disposed.signal, ...signals.filter((signal) => signal !== undefined)]);

  const read = async (
    key: string,
    range?: ByteRange,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null> => {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ ...named(key), ...(Range && { Range }) });
    const abortSignal = until(AbortSignal.timeout(READ_TIMEOUT_MS), signal);
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await client.send(command, { abortSignal });
        const body = answer.Body as Readable;
        const { ContentLength = 0 } = answer;
        if (range && !isPart(answer, range)) {
          body.destroy();
          throw new Error(`the answer to ${Range} is not that range`);
        }
        return await collect(body, ContentLength);
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        if (isBeyondEnd(error)) return new Uint8Array(new SharedArrayBuffer(0));
        // The SDK repeats what fails before the body.
        const isAnswer = error instanceof Error && "$metadata" in error;
        if (isAnswer || abortSignal.aborted || attempt === ATTEMPTS) throw error;
      }
    }
  };

  const upload = async (key: string, Body: Buffer | Readable, signal?: AbortSignal) => {
    const abortSignal = until(signal);
    if (Buffer.isBuffer(Body) && Body.byteLength <= PART_BYTES) {
      await client.send(new PutObjectCommand({ ...named(key), Body }), { abortSignal });
      return;
    }
    const cleanup = () => until(AbortSignal.timeout(CLEANUP_TIMEOUT_MS));
    const parts = new Upload({
      client: uploadClient(client, abortSignal, cleanup),
      params: { ...named(key), Body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    // Parts that were sent are deleted in the background.
    const abort = () => void parts.abort();
    abortSignal.addEventListener("abort", abort);
    try {
      await parts.done();
    } finally {
      abortSignal.removeEventListener("abort", abort);
    }
  };

  return {
    put: async (key, body, signal) => {
      let failure: { readonly error: unknown } | undefined;
      const watched = async function* (chunks: AsyncIterable<Uint8Array>) {
        try {
          yield* chunks;
        } catch (error) {
          failure = { error };
          throw error;
        }
      };
      signal?.throwIfAborted();
      const content =
        body instanceof Uint8Array
          ? Buffer.from(body.buffer, body.byteOffset, body.byteLength)
          : Readable.from(watched(body), { objectMode: false });
      try {
        await request(() => upload(key, content, signal), signal);
      } catch (error) {
        throw failure ? failure.error : error;
      }
    },

    get: (key, range, signal) => request(() => read(key, range, signal), signal),

    delete: (key, signal) =>
      request(async () => {
        await client.send(new DeleteObjectCommand(named(key)), { abortSignal: until(signal) });
      }, signal),

    async *list(folder) {
      let isTruncated = true;
      for (let Marker: string | undefined; isTruncated; ) {
        const Prefix = prefix + folder;
        const page = await request(() =>
          client.send(new ListObjectsCommand({ Bucket, Prefix, Marker }), {
            abortSignal: disposed.signal,
          }),
        );
        const { Contents = [], IsTruncated = false } = page;
        yield Contents.map(({ Key = "", LastModified = new Date() }) => ({
          key: Key.slice(prefix.length),
          modifiedAt: LastModified,
        }));
        Marker = Contents.at(-1)?.Key;
        isTruncated = IsTruncated && Marker !== undefined;
      }
    },

    presign: (key, { contentType, contentDisposition }) =>
      request(() =>
        getSignedUrl(
          publicClient,
          new GetObjectCommand({
            ...named(key),
            ResponseContentType: contentType,
            ResponseContentDisposition: contentDisposition,
          }),
          { expiresIn: PRESIGNED_SECONDS },
        ),
      ),

    ping: () =>
      request(async () => {
        const abortSignal = until(AbortSignal.timeout(PING_TIMEOUT_MS));
        await client.send(new HeadBucketCommand({ Bucket }), { abortSignal });
      }),

    [Symbol.dispose]() {
      disposed.abort();
      client.destroy();
      if (publicClient !== client) publicClient.destroy();
    },
  };
}
