import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openConsole, type ReleaseConsole } from './support/console.ts'

let opened: ReleaseConsole
let server: Server
let remote = ''
const asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('Access-Control-Allow-Origin', '*').end('window.remote = true')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  remote = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  opened = await openConsole()
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
})
afterAll(async () => {
  await opened?.close()
  server.close()
})

const inPage = (code: string) => opened.page.evaluate(code)
const answerOf = (url: string) =>
  opened.app.evaluate(async ({ net }, address) => {
    const answer = await net.fetch(address)
    return { status: answer.status, policy: answer.headers.get('content-security-policy') }
  }, url)

test('every file of the page has a policy that blocks foreign scripts', async () => {
  const script = await inPage("new URL(document.querySelector('script[src]').src).pathname")
  for (const path of ['/index.html', z.string().parse(script)]) {
    const { status, policy } = await answerOf(`app://console${path}`)
    expect(status, path).toBe(200)
    const rules = new Map(
      (policy ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ')
        return [name, sources]
      }),
    )
    expect(rules.get('default-src')).toEqual(["'none'"])
    expect(rules.get('script-src')).toEqual(["'self'"])
    expect(rules.get('connect-src')).toEqual(["'none'"])
    expect(rules.get('frame-ancestors')).toEqual(["'none'"])
    expect(policy).not.toMatch(/unsafe-eval|\*|https?:/)
  }
})

test('scripts that are not part of the build do not run', async () => {
  const outcome = `new Promise((done) => {
    const { body } = document
    body.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = 1' }))
    const link = Object.assign(document.createElement('a'), { href: 'javascript:window.ran = 2' })
    body.append(link)
    link.click()
    setTimeout('window.ran = 3', 0)
    const picture = Object.assign(document.createElement('div'))
    picture.innerHTML = '<img src="x" onerror="window.ran = 4">'
    body.append(picture)
    // A listener comes after the attribute of the same event, and a timer after those set before.
    picture.firstChild.addEventListener('error', () => setTimeout(() => {
      // In a later turn: what the debugger evaluates may evaluate.
      let evaluated = 'ran'
      try { eval('1') } catch (error) { evaluated = error.name }
      done([evaluated, typeof window.ran])
    }))
  })`
  expect(await inPage(outcome)).toEqual(['EvalError', 'undefined'])
})

test('nothing is loaded from other origins', async () => {
  const refusal = await inPage(`(async () => {
    window.refused = new Set()
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      window.refused.add(effectiveDirective))
    const add = (tag, values) =>
      document.body.append(Object.assign(document.createElement(tag), values))
    add('script', { src: '${remote}/script' })
    add('img', { src: '${remote}/img' })
    add('link', { rel: 'stylesheet', href: '${remote}/style' })
    add('iframe', { src: '${remote}/frame', title: 'remote' })
    add('object', { data: '${remote}/object' })
    add('video', { src: '${remote}/video' })
    try { new WebSocket('${remote.replace('http', 'ws')}/socket') } catch {}
    try { new Worker('${remote}/worker') } catch {}
    navigator.sendBeacon('${remote}/beacon')
    return await fetch('${remote}/fetch').then(() => 'fetched', ({ name }) => name)
  })()`)
  expect(refusal).toBe('TypeError')
  await expect
    .poll(() => inPage('[...window.refused].sort()'))
    .toEqual([
      'connect-src',
      'frame-src',
      'img-src',
      'media-src',
      'object-src',
      'script-src-elem',
      'style-src-elem',
    ])
  expect(asked).toEqual([])
  expect(await inPage('typeof window.remote')).toBe('undefined')
})

test.each([
  '../package.json',
  '..%2fpackage.json',
  '..%2f..%2fpackage.json',
  '%2e%2e%2f%2e%2e%2fpackage.json',
  '%2e%2e/%2e%2e/package.json',
  '..%5c..%5cpackage.json',
  'assets/..%2f..%2f..%2fpackage.json',
  '%252e%252e%252f%252e%252e%252fpackage.json',
  '/%2fetc%2fpasswd.json',
  'index.html%00.json',
  'index.html:stream.json',
])('app://console/%s is not a file of the page, and is not found', async (path) => {
  expect((await answerOf(`app://console/${path}`)).status).toBe(404)
})

test('another host of the scheme is not found, and other methods are rejected', async () => {
  expect((await answerOf('app://console/index.html')).status).toBe(200)
  expect((await answerOf('app://elsewhere/index.html')).status).toBe(404)
  const posted = await opened.app.evaluate(
    async ({ net }) => (await net.fetch('app://console/index.html', { method: 'POST' })).status,
  )
  expect(posted).toBe(404)
})

// Last: Playwright waits for a navigation that was refused so for as long as the page is there.
test('a form of the page cannot be submitted', async () => {
  const refused = await inPage(`new Promise((done) => {
    document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective))
    const form = Object.assign(document.createElement('form'), { action: '${remote}/form' })
    document.body.append(form)
    form.submit()
  })`)
  expect(refused).toBe('form-action')
  expect(asked).toEqual([])
})

test('the page has no cookies, which would not be encrypted', async () => {
  expect(await inPage('document.cookie')).toBe('')
})
