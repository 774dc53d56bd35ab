export default () => ({ action: 'decline' })
