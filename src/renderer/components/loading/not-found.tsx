import { Button } from '@mantine/core'
import { IconApps, IconArchive, IconGitBranch } from '@tabler/icons-react'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { paths } from '../../paths.ts'
import { Notice } from '../notice.tsx'
import { text } from '../strings.ts'
import { EmptyState } from './empty-state.tsx'

/** Stands on a screen whose address names an app that does not exist. */
export function AppNotFound({ app }: { readonly app: string }) {
  return (
    <EmptyState
      icon={IconApps}
      title={text.appNotFound}
      link={{ to: paths.apps, name: text.openApps, isNext: false }}
    >
      {text.appNotFoundHint(app)}
    </EmptyState>
  )
}

interface ChannelProps {
  readonly app: string
  readonly channel: string
  readonly onShowAll: () => void
}

/** Stands on a screen whose address names a channel that its app does not have. */
export function ChannelNotFound({ app, channel, onShowAll }: ChannelProps) {
  return (
    <EmptyState
      icon={IconGitBranch}
      title={text.channelNotFound}
      action={
        <Button variant="default" onClick={onShowAll}>
          {text.showAllChannels}
        </Button>
      }
    >
      {text.channelNotFoundHint(app, channel)}
    </EmptyState>
  )
}

/** Says above what a screen shows of an app that the app is archived; draws nothing for any other. */
export function ArchivedNotice({ app }: { readonly app: Pick<AppDetail, 'name' | 'archived'> }) {
  if (!app.archived) return null
  return (
    <Notice icon={IconArchive} color="gray" mb="md" title={text.appArchived(app.name)}>
      {text.appArchivedHint}
    </Notice>
  )
}
