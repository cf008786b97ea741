import type { Snapshot } from '../../catalog/snapshot.ts'
import type { ShareOf } from '../../hosting/uploads.ts'

const KEY = /^key:(.+)$/

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
