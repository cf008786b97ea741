import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { AppName } from '../../../shared/console/apps.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { AppNotFound, ArchivedNotice, EmptyState } from '../../components/loading/empty-state.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { paths } from '../../paths.ts'
import { copyDraft, emptyDraft, firstDraft } from './draft.ts'
import { placeIn } from './place-fields.tsx'
import { PublishForm } from './publish-form.tsx'
import { text } from './strings.ts'

/**
 * Publishes a release. The address may name its `app` and `channel`, and a release of that app to copy, by its
 * channel (`from`) and version.
 */
export function Component() {
  const [params] = useSearchParams()
  const apps = useQuery(server.apps.names.queryOptions())
  const { may } = useAccess()
  const [from, version] = [params.get('from'), params.get('version')]
  const [wanted, wantedChannel] = [params.get('app') ?? '', params.get('channel') ?? '']
  return (
    <>
      <PageHeader title={text.title} trail={[{ name: text.releases, to: paths.releases }]} />
      <Loaded query={apps}>
        {(all) => {
          // Another app in its place would be published to.
          const asked = all.find(({ ref }) => ref === wanted)
          if (wanted !== '' && asked === undefined) return <AppNotFound app={wanted} />
          if (asked?.archived) return <ArchivedNotice app={asked} />
          const served = all.filter(({ archived }) => !archived)
          if (served.length === 0 && may('administrator')) {
            return <PublishForm apps={served} initial={firstDraft()} />
          }
          const own = served.filter(({ ref }) => may('release_manager', ref))
          if (own.length === 0 || (asked && !own.includes(asked))) return <NotPermitted />
          const { app, channel: found } = placeIn(own, wanted, wantedChannel)
          const channel = wantedChannel === '' || found === wantedChannel ? found : ''
          if (from === null || version === null) {
            return <PublishForm apps={own} initial={emptyDraft(app, channel)} />
          }
          return <CopyForm apps={own} source={{ app, channel: from, version }} to={channel} />
        }}
      </Loaded>
    </>
  )
}

interface CopyProps {
  readonly apps: readonly AppName[]
  readonly source: { readonly app: string; readonly channel: string; readonly version: string }
  readonly to: string
}

function CopyForm({ apps, source, to }: CopyProps) {
  const { app, channel, version } = source
  const known = useQuery(server.releases.get.queryOptions({ app, channel, version }))
  return (
    <Loaded query={known}>
      {({ release }) => (
        <PublishForm
          key={release.id}
          apps={apps}
          initial={copyDraft(release, to)}
          notice={text.copied(version, `${app}/${channel}`)}
        />
      )}
    </Loaded>
  )
}

function NotPermitted() {
  return (
    <EmptyState
      icon={IconLock}
      title={text.notPermitted}
      link={{ to: paths.releases, name: text.showReleases, isNext: false }}
      hint={text.notPermittedHint}
    />
  )
}
