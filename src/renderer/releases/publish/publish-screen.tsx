import { Button } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { server } from '../../bridge/clients.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { paths } from '../../paths.ts'
import { placeIn } from './place-fields.tsx'
import { PublishForm } from './publish-form.tsx'

/** Publishes a release. The address may name its `app` and `channel`. */
export function PublishScreen() {
  const [params] = useSearchParams()
  const apps = useQuery(server.apps.list.queryOptions())
  return (
    <>
      <PageHeader title="Publish a release" trail={[{ name: 'Releases', to: paths.releases }]} />
      <Loaded query={apps}>
        {(all) => {
          const served = all.filter(({ archived }) => !archived)
          if (served.length === 0) return <NoApps />
          const place = placeIn(served, params.get('app') ?? '', params.get('channel') ?? '')
          return <PublishForm apps={served} place={place} />
        }}
      </Loaded>
    </>
  )
}

function NoApps() {
  return (
    <EmptyState
      icon={IconApps}
      title="There is no app yet"
      action={
        <Button component={Link} to={paths.apps}>
          Go to apps
        </Button>
      }
    >
      A release belongs to an app and one of its channels. Create the app first.
    </EmptyState>
  )
}
