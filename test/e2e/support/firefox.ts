import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { eventually } from '../../support/eventually.ts'

const Found = z.object({ result: z.object({ sharedId: z.string() }) })
const Context = z.object({ context: z.string() })
const Evaluated = z.object({
  type: z.literal('success'),
  result: z.object({ value: z.unknown().optional() }),
})
const Answer = z.object({
  id: z.number(),
  result: z.unknown(),
  error: z.string().optional(),
  message: z.string().optional(),
})
const LISTENING = /WebDriver BiDi listening on (ws:\/\/\S+)/

/** Finds an element in the page: WebDriver's own search by role and name takes a minute for a screen. */
const FIND = `(role, name) => {
  const tags = { button: 'button', link: 'a', table: 'table', textbox: 'input', dialog: '[role=dialog]' }
  const named = (element) =>
    element.ariaLabel ??
    document.getElementById(element.getAttribute('aria-labelledby'))?.innerText ??
    (element.labels?.[0] ?? element).innerText.replace(' *', '')
  return [...document.querySelectorAll(tags[role] ?? name)].findLast(
    (it) => it.checkVisibility() && (role === 'css' || named(it).trim() === name),
  )
}`

/**
 * A page in the Firefox of this computer, driven by WebDriver BiDi (w3.org/TR/webdriver-bidi): Playwright's own Firefox is not in
 * the packages of any system.
 */
export class Firefox {
  readonly #process: ChildProcess
  readonly #profile: string
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #context = ''
  #next = 0

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process
    this.#profile = profile
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))))
  }

  /** Starts it without a window. Rejects if it ends before it listens. */
  static async start(): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'tidegate-firefox-'))
    // What fades and slides is hit where it was.
    writeFileSync(join(profile, 'user.js'), 'user_pref("ui.prefersReducedMotion", 1);\n')
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
    const process = spawn('firefox-esr', args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const address = await new Promise<string>((resolve, reject) => {
      createInterface(process.stderr).on('line', (line) => {
        const found = LISTENING.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      process.once('error', reject)
      process.once('exit', (code) => reject(new Error(`Firefox ended with ${code}`)))
    })
    const socket = new WebSocket(`${address}/session`)
    await once(socket, 'open')
    const firefox = new Firefox(process, profile, socket)
    await firefox.#send('session.new', { capabilities: {} })
    const opened = await firefox.#send('browsingContext.create', { type: 'tab' })
    firefox.#context = Context.parse(opened).context
    return firefox
  }

  async setCookie(url: string, name: string, text: string): Promise<void> {
    const { hostname: domain } = new URL(url)
    await this.#send('storage.setCookie', {
      cookie: { name, domain, path: '/', value: { type: 'string', value: text } },
    })
  }

  async goTo(url: string): Promise<void> {
    await this.#inPage('browsingContext.navigate', { url, wait: 'complete' })
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#inPage('browsingContext.setViewport', { viewport: { width, height } })
  }

  /** Returns the value of an expression, or of what it resolves to: text, numbers and such. */
  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.#context }
    const evaluated = await this.#send('script.evaluate', {
      expression,
      awaitPromise: true,
      target,
    })
    return Evaluated.parse(evaluated).result.value
  }

  /** Waits for a visible element of that role and name, or with the role `css` of that selector; returns it as actions name it. */
  async find(role: string, name: string): Promise<string> {
    return await eventually(async () => {
      const found = await this.#send('script.callFunction', {
        functionDeclaration: FIND,
        arguments: [role, name].map((value) => ({ type: 'string', value })),
        ...{ awaitPromise: false, target: { context: this.#context } },
      })
      const read = Found.safeParse(found)
      if (!read.success) throw new Error(`no ${role} "${name}"`)
      return read.data.result.sharedId
    })
  }

  /** Clicks as a mouse does, after it has scrolled there. */
  async click(role: string, name: string): Promise<void> {
    const sharedId = await this.find(role, name)
    await this.#send('script.callFunction', {
      functionDeclaration: '(element) => element.scrollIntoView({ block: "center" })',
      arguments: [{ sharedId }],
      ...{ awaitPromise: false, target: { context: this.#context } },
    })
    const origin = { type: 'element', element: { sharedId } }
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]
    await this.#inPage('input.performActions', {
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    })
  }

  /** Clicks into a field and types. */
  async type(name: string, text: string): Promise<void> {
    await this.click('textbox', name)
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#inPage('input.performActions', { actions: [{ type: 'key', id: 'keys', actions }] })
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill()
    await ended
    rmSync(this.#profile, { recursive: true, force: true })
  }

  #inPage(method: string, params: object): Promise<unknown> {
    return this.#send(method, { context: this.#context, ...params })
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = this.#next++
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(id, answer)
    this.#socket.send(JSON.stringify({ id, method, params }))
    return answer.promise
  }

  #hear(message: unknown): void {
    const { success, data } = Answer.safeParse(message)
    if (!success) return
    const waiting = this.#waiting.get(data.id)
    this.#waiting.delete(data.id)
    if (data.error === undefined) waiting?.resolve(data.result)
    else waiting?.reject(new Error(`${data.error}: ${data.message}`))
  }
}
