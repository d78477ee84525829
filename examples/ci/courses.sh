#!/bin/sh
# Checks, rehearses and, on main, pushes. GitLab sets CI_COMMIT_BRANCH; use the variable of your CI service.
set -eu
npm install --global ./course-catalog-cli-*.tgz
catalog courses check courses/ --report junit=courses.xml
catalog sandbox --seed providers.json -- catalog courses push courses/
if [ "${CI_COMMIT_BRANCH:-}" = main ]; then
  catalog courses push courses/ # needs CATALOG_BASE_URL and CATALOG_API_KEY
fi
