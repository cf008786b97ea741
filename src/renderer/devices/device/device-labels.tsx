import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { showInvisible } from '../../../shared/visible.ts'
import { paths } from '../../paths.ts'
import { deviceText as text } from '../strings.ts'
import classes from './device.module.css'

interface Props {
  readonly app: string
  readonly labels: Readonly<Record<string, string>>
}

/** A device's labels, each a way to the devices that have it too. */
export function DeviceLabels({ app, labels }: Props) {
  const entries = Object.entries(labels)
  if (entries.length === 0) {
    return <Text c="dimmed">{text.noLabels}</Text>
  }
  return (
    <ul className={classes.labels}>
      {entries.map(([key, value]) => (
        <li key={key}>
          <Link
            className={classes.label}
            to={paths.devices({ app, search: `${key}=${value}` })}
            title={text.devicesWith(`${key}=${value}`)}
          >
            <span className={classes.key}>{key}</span>
            {showInvisible(value)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
