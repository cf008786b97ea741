import { Button } from '@mantine/core'
import { IconCompass } from '@tabler/icons-react'
import { Link, useRouteError } from 'react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { paths } from '../paths.ts'

/** Stands where no screen is, and where a screen failed to draw. */
export function NotFoundScreen() {
  const error = useRouteError()
  return (
    <>
      <PageHeader title={error ? 'This screen could not be shown' : 'Nothing is here'} />
      <ErrorNotice error={error} title="The console met an error of its own" />
      <EmptyState
        icon={IconCompass}
        title="Go on from the overview"
        action={
          <Button component={Link} to={paths.overview}>
            Open the overview
          </Button>
        }
      >
        Everything that was saved is still there.
      </EmptyState>
    </>
  )
}
