import { BrowserSubscription } from '../../../shared/events/notifications.ts'
import { ConsoleError } from '../error.ts'
import { text } from '../strings.ts'
import { accountClient } from './account-client.ts'

/** The file of the service worker, beside the page. */
const WORKER = 'service-worker.js'

/** Whether push notifications can be shown on this page; they need HTTPS, or this computer. */
export function pushSupport(): 'supported' | 'insecure' | 'unsupported' {
  if (!window.isSecureContext) return 'insecure'
  const isThere =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  return isThere ? 'supported' : 'unsupported'
}

/**
 * Returns the ID under which this browser gets push notifications of the person who is signed in; null if it gets none. The
 * server notes that it is still used.
 */
export async function keepPush(): Promise<string | null> {
  if (pushSupport() !== 'supported' || Notification.permission !== 'granted') return null
  const subscription = await subscriptionOf(await navigator.serviceWorker.getRegistration())
  if (subscription === null) return null
  const { endpoint } = subscription
  return (await accountClient.own.notifications.keepBrowser.mutate({ endpoint })).id
}

/**
 * Asks the person, and has this browser get push notifications. `key`: the public key of the server. Rejects with a
 * `ConsoleError` if the person or the browser refuses.
 */
export async function turnOnPush(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new ConsoleError('invariant', text.pushDenied)
  }
  await navigator.serviceWorker.register(new URL(WORKER, document.baseURI), {
    updateViaCache: 'none',
  })
  const registration = await navigator.serviceWorker.ready
  // One that was made for another key of the server is of no use.
  await (await subscriptionOf(registration))?.unsubscribe()
  const made = await subscribe(registration, key)
  await accountClient.own.notifications.addBrowser.mutate(made)
}

/** Ends push notifications in this browser. `id`: see `keepPush`. */
export async function turnOffPush(id: string): Promise<void> {
  await accountClient.own.notifications.removeBrowser.mutate({ id })
  const registration = await navigator.serviceWorker.getRegistration()
  await (await subscriptionOf(registration))?.unsubscribe()
}

async function subscriptionOf(registration: ServiceWorkerRegistration | undefined) {
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function subscribe({ pushManager }: ServiceWorkerRegistration, applicationServerKey: string) {
  try {
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
    const { endpoint, keys } = made.toJSON()
    return BrowserSubscription.parse({ endpoint, keys })
  } catch {
    throw new ConsoleError('invariant', text.pushFailed)
  }
}
