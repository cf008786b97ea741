import { ARCH, deviceId, deviceVersion, isLabelled, LABEL, PLATFORM } from './device.ts'
import { randomIntegers, shuffled } from './random.ts'

/** Devices in a fleet call: the maximum. */
export const DEVICES_PER_CALL = 500

/** A POST with a JSON body, as bytes. */
export function post(path: string, key: string, body: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(body))
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${json.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), json])
}

/** An update check as the Tauri updater sends it. */
export function check(
  app: string,
  channel: string,
  version: string,
  device: string,
  { platform, arch } = { platform: PLATFORM, arch: ARCH },
): string {
  const head = [
    `GET /u/${app}/${channel}/${platform}/${arch}/${version} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json',
    'User-Agent: tauri-updater',
    `X-Service-Device: ${device}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n`
}

/**
 * Prebuilt checks of `devices` devices in one channel. The returned function returns that of a random device.
 * Without `version`, each device runs its own.
 */
export function randomChecks(
  app: string,
  channel: string,
  devices: number,
  version?: string,
): () => Uint8Array {
  return randomRequests(devices, (i) =>
    check(app, channel, version ?? deviceVersion(i), deviceId(i)),
  )
}

/** Prebuilt requests of `devices` devices as electron-updater sends them; see `randomChecks`. */
export function randomElectronFeeds(
  app: string,
  channel: string,
  devices: number,
  query: (version: string) => string,
): () => Uint8Array {
  return randomRequests(devices, (i) => {
    const path = `/electron/${app}/${channel}/latest-linux.yml?${query(deviceVersion(i))}`
    const head = [
      `GET ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'User-Agent: electron-builder',
      'Cache-Control: no-cache',
      `x-user-staging-id: ${deviceId(i)}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n`
  })
}

/** The requests of all devices have one length. */
function randomRequests(devices: number, request: (index: number) => string): () => Uint8Array {
  const { length } = request(0)
  const bytes = Buffer.allocUnsafe(length * devices)
  for (let i = 0; i < devices; i += 1) bytes.write(request(i), i * length, 'latin1')
  const random = randomIntegers(0x7f4a7c15)
  return () => {
    const at = (random() % devices) * length
    return bytes.subarray(at, at + length)
  }
}

/** The members of a fleet call besides its devices. */
export interface FleetCall {
  readonly path: '/api/v1/fleet/report' | '/api/v1/fleet/decisions'
  readonly body: Readonly<Record<string, unknown>>
  /** Whether labels are sent with the devices that have them. */
  readonly labels?: boolean
}

/** Fleet calls with 500 devices that contain each of `devices` devices once, in random order. */
export function fleetCalls(call: FleetCall, key: string, devices: number): Buffer[] {
  const order = shuffled(devices, 0x1b873593)
  return Array.from({ length: Math.ceil(devices / DEVICES_PER_CALL) }, (_, i) => {
    const part = order.subarray(i * DEVICES_PER_CALL, (i + 1) * DEVICES_PER_CALL)
    const items = Array.from(part, (index) => itemOf(index, call.labels === true))
    return post(call.path, key, { ...call.body, devices: items })
  })
}

/** Returns the elements in turn, repeatedly. */
export function inTurn<T>(elements: readonly T[]): () => T | undefined {
  let at = -1
  return () => {
    at = at + 1 === elements.length ? 0 : at + 1
    return elements[at]
  }
}

/** Returns each element once, then undefined. */
export function onceEach<T>(elements: readonly T[]): () => T | undefined {
  let at = -1
  return () => {
    at += 1
    return elements[at]
  }
}

function itemOf(index: number, labels: boolean): unknown {
  const item = {
    deviceId: deviceId(index),
    version: deviceVersion(index),
    platform: PLATFORM,
    arch: ARCH,
  }
  return labels && isLabelled(index) ? { ...item, labels: { [LABEL.key]: LABEL.value } } : item
}
