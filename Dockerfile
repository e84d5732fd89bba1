# The service without development tools, as a user of its own. It writes to /data and /tmp only.
#   docker build -t orbifold . && docker run --rm -p 3000:3000 -v orbifold:/data orbifold
# See docs/operations.md.
FROM node:24-bookworm-slim AS build
WORKDIR /opt/orbifold
COPY package.json package-lock.json ./
COPY tools tools
# A second name of Node's program, which would become a copy of it in the image.
RUN npm ci --omit=dev && rm -r node_modules/node/node_modules
COPY . .
# Starts it once: as a test of the image, and so that later starts find compiled code, which is of its user.
RUN useradd --uid 10001 orbifold && install --directory --owner=orbifold node_modules/.cache/compiled
USER orbifold
RUN export DATA_DIR=$(mktemp -d) SHUTDOWN_DELAY_MS=0 \
  NODE_COMPILE_CACHE=/opt/orbifold/node_modules/.cache/compiled; \
  node_modules/.bin/node server/cli.ts serve & \
  for second in $(seq 60); do \
    sleep 1; node_modules/.bin/node server/cli.ts health && ready=yes && break; \
  done; \
  kill -TERM $! && wait $! && test -n "$ready"

FROM debian:bookworm-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin orbifold && \
  install --directory --owner=orbifold --mode=700 /data && \
  ln --symbolic /opt/orbifold/server/cli.ts /usr/local/bin/orbifold
# Node is the one of the lock file.
COPY --from=build --chown=root:root /opt/orbifold /opt/orbifold
COPY --from=build --chown=orbifold:orbifold \
  /opt/orbifold/node_modules/.cache/compiled /opt/orbifold/node_modules/.cache/compiled
WORKDIR /opt/orbifold
ENV PATH=/opt/orbifold/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data \
  MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=4194304 MALLOC_TRIM_THRESHOLD_=16777216 GLIBC_TUNABLES=glibc.malloc.hugetlb=1 \
  NODE_OPTIONS=--max-semi-space-size=4 NODE_COMPILE_CACHE=/opt/orbifold/node_modules/.cache/compiled
USER orbifold
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s \
  CMD ["orbifold", "health"]
ENTRYPOINT ["orbifold"]
CMD ["serve"]
