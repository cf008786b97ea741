import type { Snapshot } from '../catalog/snapshot.ts'
import type { ShareOf } from '../hosting/shares.ts'
import type { Principal } from './principal.ts'

const KEY = /^key:(.+)$/

/** Returns who goes on with an upload: no two principals share one, also where names are the same. */
export function uploadOwner({
  actor,
  keyId,
  person = `${actor.kind}:${keyId ?? actor.name}`,
}: Principal): string {
  return person
}

/** Returns the key that `owner` is: null if it is none, undefined for one that is revoked or removed. */
export function keyOfOwner({ apiKeys }: Pick<Snapshot, 'apiKeys'>, owner: string) {
  const id = KEY.exec(owner)?.[1]
  if (id === undefined) return null
  return apiKeys.find((key) => String(key.id) === id && key.revokedAt === null)
}

/** Returns how uploads share the space: the keys of an app have one share, everyone else has one of their own. */
export function sharesOf(snapshot: Pick<Snapshot, 'apiKeys'>): ShareOf {
  return (owner) => {
    const key = keyOfOwner(snapshot, owner)
    if (key === undefined) return undefined
    return key === null || key.appKey === null ? owner : `app:${key.appKey}`
  }
}
