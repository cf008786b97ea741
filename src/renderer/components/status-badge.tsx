import {
  type Icon,
  IconArchive,
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconPlayerPause,
} from '@tabler/icons-react'
import type { ReleaseStatus } from '../../shared/release.ts'
import classes from './status-badge.module.css'

type Tone = 'good' | 'warn' | 'bad' | 'quiet'

interface Look {
  readonly word: string
  readonly tone: Tone
  readonly Icon: Icon
}

const LOOKS: Readonly<Record<ReleaseStatus | 'archived' | 'active' | 'revoked', Look>> = {
  published: { word: 'Published', tone: 'good', Icon: IconCircleCheck },
  paused: { word: 'Paused', tone: 'warn', Icon: IconPlayerPause },
  rolled_back: { word: 'Rolled back', tone: 'bad', Icon: IconArrowBackUp },
  archived: { word: 'Archived', tone: 'quiet', Icon: IconArchive },
  active: { word: 'Active', tone: 'good', Icon: IconCircleCheck },
  revoked: { word: 'Revoked', tone: 'quiet', Icon: IconBan },
}

/** Where a release, an app or a key stands: an icon and a word, coloured by what it means. */
export function StatusBadge({ status }: { readonly status: keyof typeof LOOKS }) {
  const { word, tone, Icon } = LOOKS[status]
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden="true" />
      {word}
    </span>
  )
}
