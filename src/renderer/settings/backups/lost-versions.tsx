import type { LostReleases } from '../../../shared/console/backups.ts'
import { ReleaseList } from './release-list.tsx'
import { text } from './strings.ts'

/** Lists the versions that devices may run but that are not in the backup. */
export function LostVersions({ lost }: { readonly lost: LostReleases }) {
  return <ReleaseList label={text.publishAgain(lost.count)} releases={lost} />
}

/** Lists the releases that lack files which the server should store. */
export function LackingReleases({ lacking }: { readonly lacking: LostReleases }) {
  return <ReleaseList label={text.lacking(lacking.count)} releases={lacking} />
}
