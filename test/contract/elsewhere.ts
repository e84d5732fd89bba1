/** Documented statuses that the run of the contract does not cause. */

/** Those that it cannot cause: internal errors, overload, races, stalls, many bytes. */
export const OUT_OF_REACH = ["408", "409", "413", "500", "503", "504", "507"];

/** Those of single operations that take more than one request. */
export const ELSEWHERE = [
  // An installation with an external token issuer.
  "signUp 404",
  "logIn 404",
  "logOut 404",
  "changePassword 404",
  "deleteAccount 404",
  // A frozen account with a password: test/http/operator.test.ts.
  "logIn 402",
  // An installation without mail.
  "changeEmail 204",
  "changeEmail 404",
  "resendVerification 404",
  "requestPasswordReset 404",
  // Hundreds of requests from one address.
  "getSignedRender 429",
  "headSignedRender 429",
  // A process with an object store: test/http/object-store.test.ts.
  "getExportFile 307",
  // Links that have expired or lost their source: test/http/render-links.test.ts.
  "getSignedRender 410",
  "headSignedRender 410",
  // Items whose source is deleted: test/http/batches.test.ts.
  "getBatchPicture 410",
  "headBatchPicture 410",
  // A session's stream is closed as soon as its key is revoked.
  "postMcpMessage 401",
  "postMcpMessage 402",
  "postMcpMessage 403",
  "postMcpMessage 429",
  // A guest session ends when its account loses access.
  "finishHandoff 402",
  "finishHandoff 403",
  "finishHandoff 429",
  "cancelHandoff 402",
  "cancelHandoff 403",
  "cancelHandoff 429",
  // The tool's own resource.
  "executeMcpTool 404",
];
