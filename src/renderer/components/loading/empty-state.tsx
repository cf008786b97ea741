import { Stack, Text, Title } from '@mantine/core'
import {
  type Icon,
  IconApps,
  IconArchive,
  IconFileUnknown,
  IconFilterOff,
  IconGitBranch,
  IconPackageOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AppDetail } from '../../../shared/console/apps.ts'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { paths } from '../../paths.ts'
import { LinkButton, Notice, PlainButton } from '../blocks.tsx'
import { text } from '../strings.ts'

interface Props {
  readonly icon: Icon
  readonly title: string
  /** What to do next, in a sentence. */
  readonly hint: ReactNode
  /** The button that does it. */
  readonly action?: ReactNode
  /** In place of it: the screen on which it is done, or what leads back. */
  readonly link?: Way | undefined
}

interface Way {
  /** What its button says. */
  readonly name: string
  readonly to?: string
  readonly onClick?: () => void
  /** False where it only leads to another list. */
  readonly isNext?: boolean
}

/** What a list shows while there is nothing in it: why, and what to do next. */
export function EmptyState({ icon: Glyph, title, hint, link, ...rest }: Props) {
  const { action = link && <WayButton {...link} /> } = rest
  return (
    <Stack align="center" gap="xs" py={64} px="md">
      <Glyph size={32} stroke={1.5} color="var(--tidegate-quiet)" aria-hidden="true" />
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw={440} style={{ textWrap: 'balance' }}>
        {hint}
      </Text>
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}

function WayButton({ to, name, onClick, isNext = true }: Way) {
  if (to === undefined) {
    return <PlainButton onClick={onClick}>{name}</PlainButton>
  }
  return (
    <LinkButton to={to} variant={isNext ? 'filled' : 'default'}>
      {name}
    </LinkButton>
  )
}

interface NoResultsProps {
  /** What can be searched for, or what to change. */
  readonly hint: string
  readonly onClear: () => void
}

/** What a list shows while a search or its filters leave nothing. */
export function NoResults({ hint, onClear }: NoResultsProps) {
  const link = { name: text.clearFilters, onClick: onClear }
  return <EmptyState icon={IconFilterOff} title={text.noResults} link={link} hint={hint} />
}

/** Nothing can be shown, because there is no app. `hint`: what is shown once there is one. */
export function NoApps({ hint }: Pick<Props, 'hint'>) {
  const link = { to: paths.apps, name: text.openApps }
  return <EmptyState icon={IconApps} title={text.noApps} link={link} hint={hint} />
}

/** The address names a page that the list does not have, or no longer. */
export function PageGone({ onFirst }: { readonly onFirst: () => void }) {
  const link = { name: text.showFirst, onClick: onFirst }
  return (
    <EmptyState icon={IconFileUnknown} title={text.pageGone} link={link} hint={text.pageGoneHint} />
  )
}

/** Stands on a screen whose address names an app that does not exist. */
export function AppNotFound({ app }: { readonly app: string }) {
  return (
    <EmptyState
      icon={IconApps}
      title={text.appNotFound}
      link={{ to: paths.apps, name: text.openApps, isNext: false }}
      hint={text.appNotFoundHint(app)}
    />
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
      link={{ name: text.showAllChannels, onClick: onShowAll }}
      hint={text.channelNotFoundHint(app, channel)}
    />
  )
}

/** Stands on a screen whose address names a release that does not exist. */
export function ReleaseNotFound({ app, channel, version }: ReleasePlace) {
  return (
    <EmptyState
      icon={IconPackageOff}
      title={text.releaseNotFound}
      link={{ to: paths.releases, name: text.openReleases }}
      hint={text.releaseNotFoundHint(version, `${app}/${channel}`)}
    />
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
