import { z } from 'zod'

const Offer = z.object({ version: z.string(), url: z.string(), signature: z.string().optional() })
type Offer = z.infer<typeof Offer>

/** Checks for an update as the device `id` does; without an ID, as one that only a full rollout reaches. */
async function check(
  server: string,
  channel: string,
  version: string,
  id?: string,
): Promise<Offer | null> {
  const answer = await fetch(`${server}/u/editor/${channel}/linux/x86_64/${version}`, {
    headers: id === undefined ? {} : { 'X-Service-Device': id },
  })
  if (answer.status === 204) return null
  if (answer.status !== 200) throw new Error(`a check for updates answered ${answer.status}`)
  return Offer.parse(await answer.json())
}

/** Checks for an update, and throws unless the version is offered; `null` for none. */
export async function expectOffer(
  server: string,
  channel: string,
  running: string,
  offered: string | null,
  id?: string,
): Promise<Offer | null> {
  const offer = await check(server, channel, running, id)
  const found = offer?.version ?? null
  if (found === offered) return offer
  throw new Error(`a device with ${running} on ${channel} was offered ${found}, not ${offered}`)
}
