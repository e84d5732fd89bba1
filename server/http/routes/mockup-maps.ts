import { MapName, readMap } from "../../actions/mockup-maps.ts";
import { route } from "../route.ts";

/** Maps with which the editor draws products. */
export const mockupMapRoutes = [
  route({
    method: "GET",
    path: "/api/v1/mockup-maps/{version}/{product}/{side}",
    tag: "Mockups",
    operationId: "getMockupMap",
    summary: "A product's map for screens",
    // Only the editor of the same release can read it.
    hidden: true,
    auth: "any",
    allowsGuests: true,
    params: MapName,
    responses: { 200: { description: "The map.", mediaTypes: ["application/octet-stream"] } },
    problems: ["overloaded"],
    cost: 0,
    async handler({ services, account, params, signal }) {
      const headers = {
        "Content-Type": "application/octet-stream",
        // The version is a hash of the code that makes the map.
        "Cache-Control": "private, max-age=31536000, immutable",
      };
      return { status: 200, headers, bytes: await readMap(services, account, params, signal) };
    },
  }),
];
