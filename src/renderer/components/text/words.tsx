import { Badge, Text, type TextProps, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, type LinkProps } from 'react-router'
import { agoInWords } from '../../devices/strings.ts'
import { text } from '../strings.ts'
import classes from './text.module.css'
import { formatElsewhere, formatTime, type TimeStyle, useTimeZone, yearOf } from './time.ts'

interface WordsProps extends TextProps {
  readonly role?: 'status' | undefined
  readonly title?: string | undefined
  readonly children?: ReactNode
}

/** Words that explain others, in the quiet color. */
export function Quiet(props: WordsProps) {
  return <Text size="sm" c="dimmed" {...props} />
}

/** The same as small print, below what it is about. */
export function Small(props: WordsProps) {
  return <Text size="xs" c="dimmed" {...props} />
}

/** Words that name what is below or beside them. */
export function Strong(props: WordsProps) {
  return <Text size="sm" fw={500} {...props} />
}

/** A link among words. Not for `Breadcrumbs`, which give their links a class of their own. */
export function TextLink(props: Omit<LinkProps, 'className'>) {
  return <Link className="link" {...props} />
}

/** A word that says which one of a list something is. */
export function Tag({ children }: { readonly children: string }) {
  return (
    <Badge variant="default" size="sm" tt="none" miw="max-content">
      {children}
    </Badge>
  )
}

/** How good or bad something is. `global.css` has a color for each. */
export type Tone = 'good' | 'warn' | 'bad' | 'quiet'

interface TonedProps {
  /** Left out, the words have the color around them. */
  readonly tone?: Tone | undefined
  /** Whether the icon alone has the color. */
  readonly isPlain?: boolean
  readonly icon: Icon
  /** Pixels of the icon, and between it and the words. */
  readonly size?: number
  readonly gap?: number
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** Words behind an icon, in the color of what they say. */
export function Toned({ tone, icon: Glyph, size = 14, gap = 4, ...rest }: TonedProps) {
  const { className = '', isPlain = false, children } = rest
  const own = `${classes.toned} ${isPlain ? classes.plain : ''} ${className}`
  return (
    <span className={own} style={{ gap }} data-tone={tone}>
      <Glyph size={size} aria-hidden="true" />
      {children}
    </span>
  )
}

interface WhenProps {
  readonly at: string | null
  readonly empty?: string
  /** How it is written; with the year if that is another than now by default. */
  readonly as?: TimeStyle
}

/** A moment in the chosen time zone; in the other one on hover. Without a moment, shows `empty`. */
export function When({ at, empty = text.never, as }: WhenProps) {
  useTimeZone()
  if (at === null) return <span>{empty}</span>
  const style = as ?? (yearOf(at) === yearOf(Date.now()) ? 'short' : 'shortWithYear')
  return (
    <Tooltip label={formatElsewhere(at)}>
      <time dateTime={at}>{formatTime(at, style)}</time>
    </Tooltip>
  )
}

/** How long ago something was; the moment itself on hover. */
export function Ago({ at }: { readonly at: string }) {
  useTimeZone()
  const now = useNow(20_000)
  return (
    <Tooltip label={`${formatTime(at, 'exact')} (${formatElsewhere(at)})`}>
      <time dateTime={at}>{agoInWords(Date.parse(at), now)}</time>
    </Tooltip>
  )
}

/** Returns the Unix time in milliseconds, looked at again every so many milliseconds. */
export function useNow(every: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
