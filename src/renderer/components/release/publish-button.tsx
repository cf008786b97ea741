import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useAccess } from '../../bridge/access.ts'
import { paths } from '../../paths.ts'
import { text } from '../strings.ts'

interface Props {
  /** An app and channel that are chosen in the form. */
  readonly place?: { readonly app: string; readonly channel: string }
}

/** Opens the publish form, for those who may publish there. */
export function PublishButton({ place }: Props) {
  const { may, mayInSomeApp } = useAccess()
  const mayPublish =
    place === undefined ? mayInSomeApp('release_manager') : may('release_manager', place.app)
  if (!mayPublish) return null
  const to = place === undefined ? paths.publish : paths.publishTo(place.app, place.channel)
  return (
    <Button component={Link} to={to} leftSection={<IconUpload size={16} aria-hidden="true" />}>
      {text.publish}
    </Button>
  )
}
