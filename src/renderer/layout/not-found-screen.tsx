import { IconCompass } from '@tabler/icons-react'
import { useRouteError } from 'react-router'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { ErrorNotice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'

/** Stands where no screen is, and where a screen failed to draw. */
export function NotFoundScreen() {
  const error = useRouteError()
  return (
    <>
      <PageHeader title={error ? text.failed : text.notFound} />
      <ErrorNotice error={error} title={text.failedNotice} />
      <EmptyState
        icon={IconCompass}
        title={text.startOver}
        link={{ to: paths.overview, name: text.openOverview }}
      >
        {text.startOverHint}
      </EmptyState>
    </>
  )
}
