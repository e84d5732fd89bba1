/** Whether this page reaches the service. */
import { signal } from "@preact/signals";

/** By what the browser says, and by how the last request ended. */
export const isOffline = signal(!navigator.onLine);

addEventListener("offline", () => {
  isOffline.value = true;
});
addEventListener("online", () => {
  isOffline.value = false;
});
