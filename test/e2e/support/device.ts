import { z } from 'zod'
import { EDITOR } from './steps.ts'

const Offer = z.object({
  version: z.string(),
  url: z.string(),
  allowDowngrade: z.boolean(),
  updateMode: z.string(),
  minimumSupportedVersion: z.string(),
})
export type Offer = z.infer<typeof Offer>

/** What else a device says of itself. */
export interface SentFacts {
  readonly app?: string
  readonly channel?: string
  readonly target?: string
  readonly labels?: Readonly<Record<string, string>>
}

/** Asks the server as a device does; answers the offer, or null where there is nothing to install. */
export async function check(
  address: string,
  version: string,
  device?: string,
  { app = EDITOR.ref, channel = 'stable', target = 'linux/x86_64', labels = {} }: SentFacts = {},
): Promise<Offer | null> {
  const query = new URLSearchParams(
    Object.entries(labels).map(([key, value]) => [`l.${key}`, value]),
  )
  const path = `/u/${app}/${channel}/${target}/${version}?${query}`
  const answer = await fetch(`${address}${path}`, {
    headers: device === undefined ? {} : { 'X-Service-Device': device },
  })
  if (answer.status === 204) return null
  if (answer.status !== 200) throw new Error(`the check answered ${answer.status}`)
  return Offer.parse(await answer.json())
}

/** Has a number of devices ask, one after the other; answers what each is offered. */
export async function checkAll(
  address: string,
  version: string,
  count: number,
  sent: SentFacts = {},
): Promise<(Offer | null)[]> {
  const offers: (Offer | null)[] = []
  for (let n = 0; n < count; n++) offers.push(await check(address, version, `device-${n}`, sent))
  return offers
}
