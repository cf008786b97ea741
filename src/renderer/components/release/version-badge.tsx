import { Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ReleasePlace } from '../../../shared/console/releases.ts'
import { OTHER } from '../../../shared/counting.ts'
import { paths } from '../../paths.ts'
import { text } from '../strings.ts'
import { MiddleText } from '../text/middle-text.tsx'
import { useVersionColors } from './use-version-colors.ts'
import classes from './version-badge.module.css'
import { badgeColors } from './version-palette.ts'

interface Props {
  /** The reference of the app, which decides on the color. */
  readonly app: string
  readonly version: string
}

/** A version in its color. The text is always there; the color only helps to find it again. */
export function VersionBadge({ app, version }: Props) {
  const colorOf = useVersionColors(app)
  if (version === OTHER) {
    return (
      <Text span inherit c="dimmed" title={text.otherVersionsHint}>
        {text.otherVersions}
      </Text>
    )
  }
  return (
    <span className={classes.badge} style={badgeColors(colorOf(version))}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.text}>
        <MiddleText>{version}</MiddleText>
      </span>
    </span>
  )
}

interface LinkProps {
  readonly release: ReleasePlace
  readonly className?: string | undefined
}

/** The version of a release as a link to its page, which gives way where there is little room. */
export function VersionLink({ release, className = '' }: LinkProps) {
  const { app, channel, version } = release
  return (
    <Link to={paths.release({ app, channel, version })} className={`${classes.link} ${className}`}>
      <VersionBadge app={app} version={version} />
    </Link>
  )
}
