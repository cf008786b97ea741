import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPushService, type PushService } from '../support/servers/push-service.ts'
import { findings } from './support/axe.ts'
import { openInBrowser, sharedBrowser } from './support/browser.ts'
import type { ReleaseConsole } from './support/console.ts'

let opened: ReleaseConsole
let service: PushService

beforeAll(async () => {
  service = await openPushService()
  opened = await openInBrowser({ env: { PUSH_HOST: service.host } })
  await opened.page.context().grantPermissions(['notifications'])
})
afterAll(async () => {
  await opened?.close()
  await service?.stop()
})

/**
 * Has the page subscribe at the push service of the test, and say that notifications are allowed: the browser of the tests is
 * connected to no push service, and shows none.
 */
async function subscribeAt(page: Page, subscription: object): Promise<void> {
  await page.evaluate((json) => {
    const made = { ...json, toJSON: () => json, unsubscribe: async () => true }
    let current: object | null = null
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Object.assign(PushManager.prototype, {
      subscribe: async () => (current = made),
      getSubscription: async () => current,
    })
  }, subscription)
}

/** Hands a message to the service worker of the page, as the browser does with one from its push service. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  await session.detach()
}

/** What the service worker hands to the browser to be shown, from the next call on. */
const shown = async (page: Page) => {
  const [worker] = page.context().serviceWorkers()
  return await worker?.evaluate(`(() => {
    if (!self.shown) {
      self.shown = []
      registration.showNotification = async (title, { body, data }) => void shown.push({ title, body, data })
    }
    return self.shown
  })()`)
}

test('the console can be installed as an app', async () => {
  const { page } = opened
  const session = await page.context().newCDPSession(page)
  const { errors, data } = await session.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Tidegate', display: 'standalone' })
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual([])
})

test('it can be installed under a path of a proxy that wants a password', async () => {
  const { port, pathname } = new URL(opened.page.url())
  const password = { username: 'ada', password: 'six' }
  const wanted = `Basic ${Buffer.from('ada:six').toString('base64')}`
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming
    const path = url.replace('/tools/', '/')
    if (headers.authorization !== wanted) {
      outgoing.writeHead(401, { 'www-authenticate': 'Basic realm="proxy"' }).end()
      return
    }
    const { authorization, ...passed } = headers
    const forward = request({ port, method, path, headers: passed }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forward)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void proxy.close().closeAllConnections())
  const { port: behind } = proxy.address() as AddressInfo
  const context = await (await sharedBrowser()).newContext({ httpCredentials: password })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const base = `http://127.0.0.1:${behind}/tools${pathname}`
  await page.goto(base)
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.getAppManifest')
  expect(JSON.parse(data ?? '')).toMatchObject({ name: 'Tidegate' })
  const scope = page.evaluate(async () => {
    const script = new URL('service-worker.js', document.baseURI)
    return (await navigator.serviceWorker.register(script)).scope
  })
  expect(await scope).toBe(base)
})

test('a notification that is encrypted for the browser is shown by its service worker', async () => {
  const { page } = opened
  const browser = service.subscribe()
  await page.getByRole('button', { name: 'Ada', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My account' }).click()
  const section = page.getByRole('region', { name: 'Push notifications' })
  await section.getByText('This browser gets no push notifications.').waitFor()
  await subscribeAt(page, browser.subscription)
  await section.getByRole('button', { name: 'Turn on' }).click()
  await section.getByText('This browser gets push notifications.').waitFor()
  await section.getByRole('cell', { name: 'No failures' }).waitFor()
  expect(await findings(opened)).toEqual([])
  await service.until(1)
  const [message] = browser.messages()
  expect(await shown(page)).toEqual([])
  await deliver(page, JSON.stringify(message))
  await expect
    .poll(() => shown(page))
    .toEqual([
      {
        title: 'Test notification',
        body: 'Notifications of this Tidegate server reach you here.',
        data: '/',
      },
    ])
  await deliver(page, JSON.stringify({ ...message, title: 'Alarm', path: '/webhooks' }))
  await expect.poll(() => shown(page)).toMatchObject([{}, { title: 'Alarm' }])
  // As when somebody clicks it, but for the focus, which a browser gives for a click alone.
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(`dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
    notification: { data: '/webhooks', close() {} },
  }))`)
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
})

test('the service worker answers no request and keeps nothing', async () => {
  const { page } = opened
  expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true)
  const answered: boolean[] = []
  page.on('response', (response) => answered.push(response.fromServiceWorker()))
  await page.reload()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  expect(answered.length).toBeGreaterThan(3)
  expect(answered).not.toContain(true)
  expect(await page.evaluate('caches.keys()')).toEqual([])
})

test('people choose what they are notified about, and when', async () => {
  const { page } = opened
  const open = async () => {
    await page.getByRole('button', { name: 'Ada', exact: true }).click()
    await page.getByRole('menuitem', { name: 'My account' }).click()
    const section = page.getByRole('region', { name: 'Notifications', exact: true })
    await section.getByLabel('Mail: Releases').waitFor()
    return section
  }
  const section = await open()
  expect(await section.getByLabel('Mail: Alarms').locator('option').allInnerTexts()).toEqual([
    'Mail at once',
    'No mail',
  ])
  await section.getByLabel('Mail: Releases').selectOption('Mail in the daily summary')
  await section.getByLabel('Push: Releases').check()
  await section.getByLabel('Quiet hours').check()
  await section.getByLabel('To').fill('22:00')
  await section.getByRole('button', { name: 'Save notifications' }).click()
  await section.getByText('Enter two different times').waitFor()
  await section.getByLabel('To').fill('06:30')
  await section.getByRole('button', { name: 'Save notifications' }).click()
  await page.getByText('Your notifications were saved.').waitFor()
  expect(await findings(opened)).toEqual([])
  await page.reload()
  const again = await open()
  expect(await again.getByLabel('Mail: Releases').inputValue()).toBe('digest')
  expect(await again.getByLabel('Push: Releases').isChecked()).toBe(true)
  expect(await again.getByLabel('To').inputValue()).toBe('06:30')
})
