export * from './audit-report';
