import { enableCompileCache } from 'node:module'
import envPaths from 'env-paths'

// Most of a command's time goes into compiling sources, so what results from it is kept. Not in the
// temporary folder, as Node would: others may write there.
enableCompileCache(envPaths('tidegate', { suffix: '' }).cache)

const { run } = await import('./cli/run.ts')
await run()
