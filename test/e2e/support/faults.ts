import type { inferRouterInputs } from '@trpc/server'
import type { MessagePortMain } from 'electron'
import type { ElectronApplication, JSHandle, Page, Route } from 'playwright'
import { expect } from 'vitest'
import type { ShellRouter } from '../../../src/main/ipc/shell-router.ts'
import type { AppRouter } from '../../../src/server/console/router.ts'
import type { CallError } from '../../../src/shared/console/bridge/bridge.ts'
import { inBrowser, loadAnew, type ReleaseConsole } from './console.ts'

type PathOf<Inputs> = {
  [Noun in keyof Inputs & string]: `${Noun}.${keyof Inputs[Noun] & string}`
}[keyof Inputs & string]

/** A procedure that the page calls, such as `keys.mint`. */
export type ProcedurePath =
  | PathOf<inferRouterInputs<AppRouter>>
  | PathOf<inferRouterInputs<ShellRouter>>

/** Calls of one procedure that wait, until somebody decides about them. */
export interface HeldCalls {
  /** Waits until so many calls have come, one unless told. */
  asked(times?: number): Promise<void>
  /** The calls that have come, those that were let go as well. */
  count(): Promise<number>
  /** Passes on what waits, and every later call at once. */
  release(): Promise<void>
  /** Answers what waits with an error, and passes on every later call. The server sees none of the former. */
  fail(error?: CallError): Promise<void>
  /** Answers what waits and every later call with an error, until they are released. */
  refuse(): Promise<void>
}

/** Faults between the page and the processes that answer it. */
export interface Faults {
  /** Holds the calls of a procedure from now on, as a slow server does. */
  hold(path: ProcedurePath): Promise<HeldCalls>
  /** Ends what a test that failed still holds: answers it with an error, so that the server sees none of it. */
  end(): Promise<void>
}

interface Waiting {
  readonly pass: () => void
  readonly answer: (error: CallError) => void
}

interface Fault {
  holding: boolean
  /** What every call is answered with, instead of waiting. */
  refusal: CallError | null
  count: number
  waiting: Waiting[]
}

/** The calls of a browser's page. */
const CALLS = '**/console/api/**'

/** The server is there: the page is not to find out what became of a change. */
const FAILED: CallError = { code: 'internal', reason: 'database_unwritable' }
const UNAVAILABLE: CallError = { code: 'unavailable', reason: 'server_not_answering' }

/** Puts itself between the page and the processes that answer it, and loads the page anew. */
export async function interceptCalls(opened: ReleaseConsole): Promise<Faults> {
  if (inBrowser) return interceptRequests(opened.page)
  const faults = await interceptPorts(opened.app)
  const held = new Set<HeldCalls>()
  await loadAnew(opened)
  await opened.page.getByRole('heading', { level: 1 }).waitFor()
  return {
    async hold(path) {
      await faults.evaluate((known, name) => {
        known.set(name, { holding: true, refusal: null, count: 0, waiting: [] })
      }, path)
      const count = () => faults.evaluate((known, name) => known.get(name)?.count ?? 0, path)
      const end = (error: CallError | null, refusesLater = false) =>
        faults.evaluate(
          (known, { name, refusal, refusesLater }) => {
            const fault = known.get(name)
            if (fault === undefined) return
            fault.holding = refusesLater
            fault.refusal = refusesLater ? refusal : null
            for (const { pass, answer } of fault.waiting.splice(0)) {
              if (refusal === null) pass()
              else answer(refusal)
            }
          },
          { name: path, refusal: error, refusesLater },
        )
      const calls: HeldCalls = {
        count,
        asked: (times = 1) => expect.poll(count).toBeGreaterThanOrEqual(times),
        release: () => end(null),
        fail: (error = FAILED) => end(error),
        refuse: () => end(UNAVAILABLE, true),
      }
      held.add(calls)
      return calls
    },
    end: () => failAll(held),
  }
}

async function failAll(held: Set<HeldCalls>): Promise<void> {
  const calls = [...held]
  held.clear()
  for (const each of calls) await each.fail()
}

/** The same for the requests of a browser. A call that comes with one that is held in one request waits with it. */
function interceptRequests(page: Page): Faults {
  const held = new Set<HeldCalls>()
  return {
    async hold(path) {
      let count = 0
      let ended = Promise.withResolvers<CallError | null>()
      const end = (error: CallError | null) => {
        ended.resolve(error)
        // What was decided last holds for later calls.
        ended = Promise.withResolvers()
        ended.resolve(error)
      }
      const answering = new Set<Promise<void>>()
      const decide = async (route: Route) => {
        const paths = new URL(route.request().url()).pathname.replace(/^.*\/api\//, '').split(',')
        if (!paths.includes(path)) return await route.fallback()
        count += 1
        const callError = await ended.promise
        if (callError === null) return await route.fallback()
        const error = { message: callError.code, code: -32_603, data: { callError } }
        await route.fulfill({ status: 500, json: paths.map(() => ({ error })) })
      }
      const answer = (route: Route) => {
        const decided = decide(route)
        answering.add(decided)
        return decided
      }
      await page.route(CALLS, answer)
      const calls: HeldCalls = {
        count: async () => count,
        asked: (times = 1) => expect.poll(() => count).toBeGreaterThanOrEqual(times),
        release: async () => end(null),
        async fail(error = FAILED) {
          end(error)
          // A call that is still held when its route goes would be passed on.
          await Promise.allSettled(answering)
          await page.unroute(CALLS, answer)
        },
        refuse: async () => end(UNAVAILABLE),
      }
      held.add(calls)
      return calls
    },
    end: () => failAll(held),
  }
}

/** Relays every port that the main process hands to a page from now on; answers the faults that it looks at. */
function interceptPorts(app: ElectronApplication): Promise<JSHandle<Map<string, Fault>>> {
  return app.evaluateHandle(({ BrowserWindow, MessageChannelMain }) => {
    const faults = new Map<string, Fault>()
    const relay = (inner: MessagePortMain): MessagePortMain => {
      const { port1, port2 } = new MessageChannelMain()
      port1.on('message', ({ data }) => {
        const fault = data.type === 'call' ? faults.get(data.request.path) : undefined
        const pass = () => inner.postMessage(data)
        if (fault !== undefined) fault.count += 1
        if (fault?.holding !== true) return pass()
        const answer = (error: CallError) =>
          port1.postMessage({ type: 'result', id: data.id, result: { ok: false, error } })
        if (fault.refusal !== null) answer(fault.refusal)
        else fault.waiting.push({ pass, answer })
      })
      inner.on('message', ({ data }) => port1.postMessage(data))
      inner.on('close', () => port1.close())
      port1.on('close', () => inner.close())
      port1.start()
      inner.start()
      return port2
    }
    const [window] = BrowserWindow.getAllWindows()
    if (window === undefined) throw new Error('The app has no window')
    const frames = Object.getPrototypeOf(window.webContents.mainFrame)
    const { postMessage } = frames
    frames.postMessage = function (
      channel: string,
      message: unknown,
      ports: readonly MessagePortMain[] = [],
    ) {
      postMessage.call(this, channel, message, ports.map(relay))
    }
    return faults
  })
}
