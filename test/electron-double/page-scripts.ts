import { readFileSync } from 'node:fs'
import { createCodec } from './codec.ts'
import { isolatedWorld } from './isolated-world.ts'
import { mainWorld } from './main-world.ts'
import { DELIVER, EVENTS, SEND } from './worlds.ts'

const events = JSON.stringify(EVENTS)

// Functions are sent as their source, from which Node has stripped the types.

/** The script that must run in the page's world before the preload script. */
export const mainWorldScript = `(${mainWorld})(${events})`

/** The preload script in its scope; only in the main frame, as Electron does by default. */
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
