import { readFileSync } from 'node:fs'
import { createCodec } from './codec.ts'
import { isolatedWorld } from './isolated-world.ts'
import { mainWorld } from './main-world.ts'
import { DELIVER, EVENTS, SEND } from './worlds.ts'

const events = JSON.stringify(EVENTS)

// Functions are sent as their own source, from which Node has taken the types.

/** What has to run in the page's world before the preload script. */
export const mainWorldScript = `(${mainWorld})(${events})`

/** The preload script in its scope; in the main frame alone, as Electron runs it by default. */
export function isolatedWorldScript(preload: string | undefined): string {
  return `(() => {
  if (window !== window.top) return
  const scope = (${isolatedWorld})(
    (${createCodec})(), ${events}, globalThis.${SEND}, (deliver) => { globalThis.${DELIVER} = deliver })
  ;(function (require, process, module, exports) {
${preload === undefined ? '' : readFileSync(preload, 'utf8')}
  })(scope.require, scope.process, { exports: {} }, {})
})()`
}
