import { enableCompileCache } from 'node:module'
import envPaths from 'env-paths'

// Most of a command's time goes into compiling sources, so what results from it is kept. Not in the
// temporary folder, as Node would: others may write there.
const { cache } = envPaths('tidegate', { suffix: '' })
enableCompileCache(cache)
// The threads of a server take the folder from the environment only.
process.env.NODE_COMPILE_CACHE ??= cache

const { run } = await import('./cli/run.ts')
await run()
