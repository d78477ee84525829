# catalog in a small image with a shell, which CI services need. Build and run it in a clone of the repository:
#   npm ci && npm pack && docker build --tag catalog .
#   docker run --rm --volume "$PWD:/work" catalog courses check examples/courses
FROM node:24-slim AS install
COPY course-catalog-cli-*.tgz /package.tgz
RUN npm install --global --prefix /opt/catalog --offline --ignore-scripts --no-audit --no-fund /package.tgz

FROM node:24-slim
COPY --from=install /opt/catalog /opt/catalog
# On the search path, because the sandbox starts catalog again in "catalog sandbox -- catalog ...".
ENV PATH="/opt/catalog/bin:$PATH"
USER node
WORKDIR /work
ENTRYPOINT ["catalog"]
