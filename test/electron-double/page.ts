import { chromiumReady, connection } from './chromium.ts'
import type { DevToolsSession } from './devtools.ts'
import { isolatedWorldScript, mainWorldScript } from './page-scripts.ts'
import { DELIVER, SEND } from './worlds.ts'

const ISOLATED_WORLD = 'Electron Isolated Context'
interface Permission {
  readonly name: string
  readonly setting: 'granted' | 'denied'
}

const browser = connection.browser()

/** Kills the process of every page. */
export async function killPages(): Promise<void> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo')
  for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL')
}

/** Closes the tabs that links open: the double has only one tab for each window of the app. */
const popUpsClosed = chromiumReady.then(() => {
  browser.on('Target.targetCreated', ({ targetInfo: { targetId, openerId } }) => {
    if (openerId !== undefined) browser.send('Target.closeTarget', { targetId }).catch(() => {})
  })
  return browser.send('Target.setDiscoverTargets', { discover: true })
})

/** A tab of Chromium, its session, and the isolated worlds of its frames. */
export class Page {
  readonly targetId: string
  readonly session: DevToolsSession
  private readonly worldOfFrame = new Map<string, number>()
  private readonly frameOfWorld = new Map<number, string>()

  private constructor(targetId: string, session: DevToolsSession) {
    this.targetId = targetId
    this.session = session
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const frameId: unknown = context.auxData?.frameId
      if (context.name !== ISOLATED_WORLD || typeof frameId !== 'string') return
      this.worldOfFrame.set(frameId, context.id)
      this.frameOfWorld.set(context.id, frameId)
    })
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) => {
      process.stderr.write(`[page] ${text} ${exception?.description ?? ''}\n`)
    })
  }

  /** Opens an empty tab; `listen` can add listeners before the first event. */
  static async open(listen: (page: Page) => void, preload: string | undefined): Promise<Page> {
    await chromiumReady
    await popUpsClosed
    const { targetId } = await browser.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
    })
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true })
    const session = connection.session(attached.sessionId)
    const page = new Page(targetId, session)
    listen(page)
    await session.send('Page.enable')
    await session.send('Runtime.enable')
    await session.send('Runtime.addBinding', {
      name: SEND,
      executionContextName: ISOLATED_WORLD,
    })
    const addScript = 'Page.addScriptToEvaluateOnNewDocument'
    await session.send(addScript, { source: mainWorldScript })
    const source = isolatedWorldScript(preload)
    await session.send(addScript, { source, worldName: ISOLATED_WORLD })
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
    return page
  }

  /** Calls `listener` for every text that a preload script sends. */
  onMessage(listener: (text: string, frameId: string) => void): void {
    this.session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      const frameId = this.frameOfWorld.get(executionContextId)
      if (name === SEND && frameId !== undefined) listener(payload, frameId)
    })
  }

  /** Sends a text to the preload script of a frame. Lost if the frame has none, as in Electron. */
  deliver(frameId: string, text: string): void {
    const contextId = this.worldOfFrame.get(frameId)
    if (contextId === undefined) return
    const expression = `${DELIVER}(${JSON.stringify(text)})`
    this.session.send('Runtime.evaluate', { expression, contextId }).catch(() => {})
  }

  /** Sets the permissions of the page's origin, so that it gets the app's decisions immediately. */
  async allow(permissions: readonly Permission[], origin: string): Promise<void> {
    for (const { name, setting } of permissions) {
      await browser.send('Browser.setPermission', { permission: { name }, setting, origin })
    }
  }

  /** Calls `listener` when the process of the page has ended, with Chromium's reason. */
  onGone(listener: (reason: string, exitCode: number) => void): void {
    browser.on('Target.targetCrashed', ({ targetId, status, errorCode }) => {
      if (targetId === this.targetId) listener(status, errorCode)
    })
  }

  async close(): Promise<void> {
    await browser.send('Target.closeTarget', { targetId: this.targetId }).catch(() => {})
  }
}
