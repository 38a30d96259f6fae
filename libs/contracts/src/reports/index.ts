export * from './audit-report';
export * from './stack-note';
