import {
  type Icon,
  IconArchive,
  IconArrowBackUp,
  IconBan,
  IconCircleCheck,
  IconMail,
  IconPlayerPause,
} from '@tabler/icons-react'
import { STATUS_WORDS } from '../strings.ts'
import classes from './status-badge.module.css'

type Tone = 'good' | 'warn' | 'bad' | 'quiet'

interface Look {
  readonly tone: Tone
  readonly Icon: Icon
}

const LOOKS: Readonly<Record<keyof typeof STATUS_WORDS, Look>> = {
  published: { tone: 'good', Icon: IconCircleCheck },
  paused: { tone: 'warn', Icon: IconPlayerPause },
  rolled_back: { tone: 'bad', Icon: IconArrowBackUp },
  archived: { tone: 'quiet', Icon: IconArchive },
  active: { tone: 'good', Icon: IconCircleCheck },
  revoked: { tone: 'quiet', Icon: IconBan },
  invited: { tone: 'warn', Icon: IconMail },
  disabled: { tone: 'quiet', Icon: IconBan },
}

/** Where a release, an app, a key or an account stands: an icon and a word, coloured by what it means. */
export function StatusBadge({ status }: { readonly status: keyof typeof LOOKS }) {
  const { tone, Icon } = LOOKS[status]
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon size={14} stroke={2} aria-hidden="true" />
      {STATUS_WORDS[status]}
    </span>
  )
}
