import type { PushMessage } from '../shared/events/push-message.ts'

/**
 * The part of the page that runs without it: shows push notifications. It answers no requests and keeps no files, so a page
 * is always the server's. Nothing is imported but types: browsers load it as a classic script.
 */

/** What is used of the scope of a service worker, for which TypeScript has no types beside those of pages. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { readonly type: 'window' }): Promise<readonly Client[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener<Type extends keyof WorkerEvents>(
    type: Type,
    listener: (event: WorkerEvents[Type]) => void,
  ): void
}

interface Client {
  readonly url: string
  focus(): Promise<unknown>
  navigate(url: string): Promise<Client | null>
}

interface WorkerEvent {
  waitUntil(done: Promise<unknown>): void
}

interface WorkerEvents {
  readonly install: WorkerEvent
  readonly activate: WorkerEvent
  readonly push: WorkerEvent & { readonly data: { json(): PushMessage } | null }
  readonly notificationclick: WorkerEvent & { readonly notification: Notification }
}

declare const self: WorkerScope

self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  if (event.data !== null) event.waitUntil(show(event.data.json()))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data ?? '/')))
})

function show({ title, body, path, tag, isUrgent }: PushMessage): Promise<void> {
  const icon = new URL('app-icon-192.png', self.registration.scope).href
  return self.registration.showNotification(title, {
    ...{ body, icon, tag, data: path, requireInteraction: isUrgent },
  })
}

/** Opens a screen of the console, in the window that shows it already if there is one. */
async function open(path: string): Promise<void> {
  const url = new URL(`#${path}`, self.registration.scope).href
  const [shown] = await self.clients.matchAll({ type: 'window' })
  if (shown === undefined) {
    await self.clients.openWindow(url)
    return
  }
  await (await shown.navigate(url))?.focus()
}
