/** Bytes of one message of an agent's, whichever way it comes: a picture of 12 MB in base64 fits. */
export const MESSAGE_BYTES = 16 * 1024 * 1024;

/** Bytes of JSON with a picture of the largest size in base64. */
export const UPLOAD_BYTES = 48 * 1024 * 1024;
